"""Networks at rest: XDSL, the format of GeNIe.

- `files`: networks at rest: XDSL, the XML that GeNIe and SMILE read and write (baycarp-2011 §3.2)
- `safe_xml`: XML from anybody, read into a tree without risk: no document types, no entities, bounded size, depth and
  count
- `tables`: the tables of an XDSL file: what GeNIe's kinds of nodes say about the probabilities of their states
"""
