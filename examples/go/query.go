package main

import "fmt"

func init() { samples["query"] = query }

// query asks for an order by your number. It prints 1 processing, 2 failed or 3 paid.
func query(args []string) error {
	order, err := call("/order/query", map[string]any{
		"merOrderNo":    args[0],
		"tradeNo":       "", // not needed: after a lost answer you do not know it
		"operationType": "query",
		"queryType":     "sales",
	})
	if err != nil {
		return err
	}
	fmt.Println(order["state"])
	return nil
}
