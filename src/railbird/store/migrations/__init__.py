"""The steps from each version of a store's tables to the next; `versions` holds one module for each."""
