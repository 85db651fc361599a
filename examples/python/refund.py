"""Refunds a payment: python3 refund.py ORDER TRADENO AMOUNT. Prints the number of the refund."""

import sys
import time

from tollgate import call

order, trade, amount = sys.argv[1:]
refund = call(
    "/refund/apply",
    {
        "merOrderNo": order,
        "tradeNo": trade,
        "amount": amount,
        "operationType": "refund",
        # Your own number of this refund. Store it first: sent twice, it refunds once.
        "merRefundNo": f"refund-{time.time_ns()}",
    },
)

# It is accepted. Whether it succeeded is in the notification, and in a query with queryType `refund`.
print(refund["refundNo"])
