package main

import (
	"fmt"
	"os"
)

func init() { samples["pay"] = pay }

// pay takes a card payment. It prints its number, the gateway's number and payCode: 0 paid, 1 declined, 2 pending.
func pay([]string) error {
	body := map[string]any{
		"merOrderNo":       newNumber("order"), // your own number, a new one for each order
		"currencyCode":     "USD",
		"sourceAmount":     "12.34", // a text with two decimals, not a number
		"returnUrl":        "https://shop.example/thanks",
		"notifyUrl":        os.Getenv("TOLLGATE_NOTIFY_URL"),
		"cardNo":           "4242424242424242",
		"cardExpireMonth":  "12",
		"cardExpireYear":   "2030",
		"cardSecurityCode": "123",
		"userAgent":        "Mozilla/5.0", // the payer's browser and address
		"ipAddress":        "203.0.113.7",
		"productInfoList": []map[string]string{
			{"sku": "A-1", "productName": "Scarf", "price": "12.34", "quantity": "1"},
		},
	}
	payer := map[string]string{
		"FirstName": "Example",
		"LastName":  "Payer",
		"Address1":  "1 Example Street",
		"City":      "Austin",
		"State":     "TX",
		"Country":   "US",
		"ZipCode":   "78701",
		"Phone":     "15125550100",
		"Email":     "payer@example.com",
	}
	for name, value := range payer {
		body["billing"+name] = value
		body["shipping"+name] = value
	}

	// If no answer comes, do not pay again: ask for the order by its number (query.go).
	order, err := call("/payment", body)
	if err != nil {
		return err
	}

	// With payCode 2 and a payUrl, send the payer there: the bank asks for a code.
	fmt.Println(order["merOrderNo"], order["tradeNo"], order["payCode"])
	return nil
}
