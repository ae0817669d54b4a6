"""One module for each version of the tables. What a published one does is never changed."""
