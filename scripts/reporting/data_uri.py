"""Files embedded in a document as data URIs."""

import base64


def data_uri(kind: str, data: bytes) -> str:
    """Return a file as a data URI of MIME type `kind`."""
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
