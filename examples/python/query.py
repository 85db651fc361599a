"""Asks for an order by your number: python3 query.py ORDER. Prints 1 processing, 2 failed or 3 paid."""

import sys

from tollgate import call

order = call(
    "/order/query",
    {
        "merOrderNo": sys.argv[1],
        "tradeNo": "",  # not needed: after a lost answer you do not know it
        "operationType": "query",
        "queryType": "sales",
    },
)

print(order["state"])
