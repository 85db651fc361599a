package main

import "fmt"

func init() { samples["refund"] = refund }

// refund gives back a payment, or a part of it: order, trade number, amount. It prints the number of the refund.
func refund(args []string) error {
	refund, err := call("/refund/apply", map[string]any{
		"merOrderNo":    args[0],
		"tradeNo":       args[1],
		"amount":        args[2],
		"operationType": "refund",
		// Your own number of this refund. Store it first: sent twice, it refunds once.
		"merRefundNo": newNumber("refund"),
	})
	if err != nil {
		return err
	}

	// It is accepted. Whether it succeeded is in the notification, and in a query with queryType `refund`.
	fmt.Println(refund["refundNo"])
	return nil
}
