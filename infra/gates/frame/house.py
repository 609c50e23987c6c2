"""The product that gates are held against: started when the first gate needs it, stopped after the last.

It is the one of the tests (``tests.e2e.product``), so that a gate and the test of the same name cannot differ
in how they start it or in who sits at the table.
"""

from functools import cached_property

from infra.gates.frame.figures import GateFailure
from tests.e2e.product import Product, assert_clean_end, new_product
from tests.e2e.table import World, build_world


class House:
    """One product on SQLite, with a table in it."""

    def __init__(self) -> None:
        self._product: Product | None = None

    @property
    def product(self) -> Product:
        """Returns the running product.

        Raises:
            GateFailure: it does not start.
        """
        if self._product is None:
            product = new_product()
            try:
                product.start()
            except BaseException as failure:
                product.discard()
                if isinstance(failure, AssertionError):
                    raise GateFailure(f"the product did not start: {failure}") from failure
                raise
            self._product = product
        return self._product

    @cached_property
    def world(self) -> World:
        """Returns a table with everyone who has to do with it, or who has not."""
        return build_world(self.product)

    def close(self) -> None:
        """Stops the product, if there is one.

        Raises:
            AssertionError: it did not end cleanly, or left a process behind.
        """
        product, self._product = self._product, None
        self.__dict__.pop("world", None)
        if product is None:
            return
        try:
            assert_clean_end(product)
        finally:
            product.discard()
