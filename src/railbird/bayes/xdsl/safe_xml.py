"""XML from untrusted sources, read into a tree: no document types, no entities, bounded size, depth and count.

>>> root = parse(b"<a>one<b c='two'/></a>")
>>> root.text, root.child("b").attributes
('one', {'c': 'two'})
"""

from dataclasses import dataclass, field
from xml.parsers import expat

MOST_BYTES = 64 * 1024 * 1024
MOST_ELEMENTS = 200_000
MOST_DEPTH = 50

_UNFINISHED = {
    expat.errors.codes[message]
    for message in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
    )
}


class XmlError(ValueError):
    """Invalid or unsupported XML, with the line number."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(f"line {line}: {sentence}")


@dataclass(slots=True)
class Element:
    """An element with its content, and the line on which it begins."""

    tag: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: list["Element"] = field(default_factory=list)

    def child(self, tag: str) -> "Element | None":
        """The first child with a tag."""
        return next((each for each in self.children if each.tag == tag), None)


class _Builder:
    """Builds the tree from the parser's events."""

    def __init__(self) -> None:
        self.root: Element | None = None
        self._open: list[Element] = []
        self._pieces: list[list[str]] = []
        self._count = 0
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._refuse_document_type
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._add_text

    def parse(self, content: bytes) -> None:
        try:
            self._parser.Parse(content, True)
        except expat.ExpatError as error:
            if error.code in _UNFINISHED:
                raise XmlError(error.lineno, "the file ends before its last element is closed") from None
            raise XmlError(error.lineno, f"not well-formed XML: {expat.ErrorString(error.code)}") from None
        except XmlError:
            raise
        except (LookupError, ValueError) as error:
            raise XmlError(self._line, f"unknown encoding: {error}") from None

    @property
    def _line(self) -> int:
        return self._parser.CurrentLineNumber

    def _refuse_document_type(self, *_: object) -> None:
        raise XmlError(self._line, "document types (DOCTYPE), which could define entities, are not allowed")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MOST_ELEMENTS:
            raise XmlError(self._line, f"there are more than {MOST_ELEMENTS:,} elements")
        if len(self._open) >= MOST_DEPTH:
            raise XmlError(self._line, f"elements are nested more than {MOST_DEPTH} levels deep")
        element = Element(tag, attributes, self._line)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)
        self._pieces.append([])

    def _end(self, _: str) -> None:
        self._open.pop().text = "".join(self._pieces.pop())

    def _add_text(self, text: str) -> None:
        self._pieces[-1].append(text)


def parse(content: bytes) -> Element:
    """The root element of an XML file; comments and processing instructions are ignored."""
    if len(content) > MOST_BYTES:
        raise XmlError(1, f"the file has more than {MOST_BYTES:,} bytes")
    builder = _Builder()
    builder.parse(content)
    assert builder.root is not None
    return builder.root
