package main

import (
	"crypto/md5"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

var order = []string{"merNo", "merOrderNo", "currencyCode", "sourceAmount"}

// The fields that each endpoint signs with MD5, in this order.
var signed = map[string][]string{
	"/payment":                   order,
	"/cashier/checkStand":        order,
	"/cashier/checkStandPay":     order,
	"/cashier/checkStandPayment": order,
	"/payout":                    order,
	"/order/query":               {"merNo", "merOrderNo", "tradeNo"},
	"/refund/apply":              {"merNo", "merOrderNo", "amount", "tradeNo", "merRefundNo"},
	"/balance/query":             {"merNo", "version"},
	"/order/queryOrderList":      {"merNo"},
	"/order/queryAmount":         {"merNo"},
	"/file/upload":               {"type", "merNo"},
	"/review/submit":             {"merNo", "tradeNo"},
}

// md5String joins the values exactly as they are sent. A field that is not sent counts as empty.
func md5String(path string, body map[string]any) string {
	var text strings.Builder
	for _, name := range signed[path] {
		if value := body[name]; value != nil {
			fmt.Fprint(&text, value)
		}
	}
	return text.String()
}

// md5Sign appends the merchant key, with nothing in between.
func md5Sign(path string, body map[string]any, key string) string {
	return fmt.Sprintf("%X", md5.Sum([]byte(md5String(path, body)+key)))
}

func signSample([]string) error {
	payment := map[string]any{
		"merNo":        json.Number(os.Getenv("TOLLGATE_MERNO")),
		"merOrderNo":   "order-1",
		"currencyCode": "USD",
		"sourceAmount": "12.34",
	}
	fmt.Println(md5String("/payment", payment) + "<KEY>")
	fmt.Println(md5Sign("/payment", payment, os.Getenv("TOLLGATE_KEY")))
	return nil
}
