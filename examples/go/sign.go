package main

import (
	"crypto/md5"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
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

// badKey is the name of a key that the set-up lacks.
type badKey string

func (name badKey) Error() string {
	return string(name) + " is missing or too short, or has another form"
}

var keyForm = regexp.MustCompile(`^.{16,}$`)

// checkKey returns an error if a key is missing or short: anybody can sign with an empty key.
func checkKey(name, value string, form *regexp.Regexp) error {
	if !form.MatchString(value) {
		return badKey(name)
	}
	return nil
}

// md5Sign appends the merchant key, with nothing in between.
func md5Sign(path string, body map[string]any, key string) (string, error) {
	if err := checkKey("TOLLGATE_KEY", key, keyForm); err != nil {
		return "", err
	}
	return fmt.Sprintf("%X", md5.Sum([]byte(md5String(path, body)+key))), nil
}

func init() { samples["sign"] = signSample }

func signSample([]string) error {
	payment := map[string]any{
		"merNo":        json.Number(os.Getenv("TOLLGATE_MERNO")),
		"merOrderNo":   "order-1",
		"currencyCode": "USD",
		"sourceAmount": "12.34",
	}
	fmt.Println(md5String("/payment", payment) + "<KEY>")
	sign, err := md5Sign("/payment", payment, os.Getenv("TOLLGATE_KEY"))
	fmt.Println(sign)
	return err
}
