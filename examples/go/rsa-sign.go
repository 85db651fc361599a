package main

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
)

var escape = strings.NewReplacer("%", "%25", "&", "%26")

// rsaString is the escaped form of all fields: nothing that a payer types can be read as another field.
func rsaString(body map[string]any) (string, error) {
	var fields []string
	for name, value := range body {
		if name == "sign" || value == nil || value == "" {
			continue
		}
		text, isText := value.(string)
		if !isText {
			written, err := sortedJSON(value)
			if err != nil {
				return "", err
			}
			text = written
		}
		fields = append(fields, name+"="+escape.Replace(text))
	}
	sort.Slice(fields, func(i, j int) bool { return nameOf(fields[i]) < nameOf(fields[j]) })
	return "escaped&" + strings.Join(fields, "&"), nil
}

func nameOf(field string) string {
	name, _, _ := strings.Cut(field, "=")
	return name
}

// Go escapes these two characters in JSON; other languages do not.
var lineSeparators = strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029")

// sortedJSON has its keys sorted at every level, which is what Go does with maps, and no white space.
func sortedJSON(value any) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return lineSeparators.Replace(strings.TrimSuffix(text.String(), "\n")), err
}

// rsaSign makes a SHA256withRSA signature (PKCS#1 v1.5, base64). The key is PEM in PKCS#8.
func rsaSign(body map[string]any, privateKey []byte) (string, error) {
	block, _ := pem.Decode(privateKey)
	if block == nil {
		return "", errors.New("the private key is not PEM")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return "", err
	}
	key, isRSA := parsed.(*rsa.PrivateKey)
	if !isRSA {
		return "", errors.New("the private key is not an RSA key")
	}
	text, err := rsaString(body)
	if err != nil {
		return "", err
	}
	digest := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:])
	return base64.StdEncoding.EncodeToString(signature), err
}

func init() { samples["rsa-sign"] = rsaSignSample }

func rsaSignSample([]string) error {
	payment := map[string]any{
		"merNo":        json.Number(os.Getenv("TOLLGATE_MERNO")),
		"merOrderNo":   "order-1",
		"currencyCode": "USD",
		"sourceAmount": "12.34",
		"returnUrl":    "https://shop.example/thanks?a=1&b=2",
		"productInfoList": []map[string]string{
			{"sku": "A-1", "productName": "Scarf", "price": "12.34", "quantity": "1"},
		},
	}
	privateKey, err := os.ReadFile(os.Getenv("TOLLGATE_PRIVATE_KEY"))
	if err != nil {
		return err
	}
	text, err := rsaString(payment)
	if err != nil {
		return err
	}
	sign, err := rsaSign(payment, privateKey) // send this as `sign`
	fmt.Println(text)
	fmt.Println(sign)
	return err
}
