"""Facts to numbers: one module a layer. *Not measured* is the absence of a ``Measurement``, never a number."""
