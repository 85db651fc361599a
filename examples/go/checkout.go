package main

import (
	"fmt"
	"os"
)

func init() { samples["checkout"] = checkout }

// checkout opens a page where the payer chooses how to pay, and prints its address. Redirect the payer to it.
func checkout([]string) error {
	order, err := call("/cashier/checkStandPay", map[string]any{
		"merOrderNo":   newNumber("order"),
		"currencyCode": "EUR",
		"sourceAmount": "24.00",
		"returnUrl":    "https://shop.example/thanks",
		"notifyUrl":    os.Getenv("TOLLGATE_NOTIFY_URL"),
		"ipAddress":    "203.0.113.7",
		"productInfoList": []map[string]string{
			{"sku": "A-1", "productName": "Scarf", "price": "24.00", "quantity": "1"},
		},
	})
	if err != nil {
		return err
	}
	fmt.Println(order["payUrl"])
	return nil
}
