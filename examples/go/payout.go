package main

import (
	"fmt"
	"os"
)

func init() { samples["payout"] = payout }

// payout pays out to a Pix key. It prints your number, the gateway's number and payCode: 0 paid, 1 failed, 2 pending.
func payout([]string) error {
	// In live, /payout accepts MD5 only from addresses on the merchant's list. Otherwise sign it with RSA.
	payout, err := call("/payout", map[string]any{
		"merOrderNo":   newNumber("payout"),
		"currencyCode": "BRL",
		"sourceAmount": "5.00",
		"withdrawType": "4",              // Pix
		"cardNo":       "12ABC34501DE35", // the Pix key
		"benFirstName": "Example",
		"benLastName":  "Payee",
		"notifyUrl":    os.Getenv("TOLLGATE_NOTIFY_URL"),
	})
	if err != nil {
		return err
	}
	fmt.Println(payout["merOrderNo"], payout["tradeNo"], payout["payCode"])
	return nil
}
