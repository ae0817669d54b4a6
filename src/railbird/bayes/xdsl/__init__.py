"""Network files in XDSL, the format of GeNIe.

- `files`: XDSL files, the XML that GeNIe and SMILE read and write (baycarp-2011 §3.2)
- `safe_xml`: XML from untrusted sources: no document types, no entities, bounded size, depth and count
- `tables`: the probability tables of an XDSL file, for GeNIe's kinds of nodes
"""
