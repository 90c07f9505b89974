"""Files inside a document, as URIs that hold them."""

import base64


def data_uri(kind: str, data: bytes) -> str:
    """Return a file of a MIME type as a URI."""
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
