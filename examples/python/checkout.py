"""Opens a page where the payer chooses how to pay, and prints its address. Redirect the payer to it."""

import os
import time

from tollgate import call

order = call(
    "/cashier/checkStandPay",
    {
        "merOrderNo": f"order-{time.time_ns()}",
        "currencyCode": "EUR",
        "sourceAmount": "24.00",
        "returnUrl": "https://shop.example/thanks",
        "notifyUrl": os.environ.get("TOLLGATE_NOTIFY_URL", ""),
        "ipAddress": "203.0.113.7",
        "productInfoList": [{"sku": "A-1", "productName": "Scarf", "price": "24.00", "quantity": "1"}],
    },
)

print(order["payUrl"])
