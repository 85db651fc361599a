package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
)

type request struct {
	Name, Path, String, Sign string
	Body                     map[string]any
}

type delivery struct {
	Name, Body, SignedBy string
	Headers              map[string]string
	At                   int64
	Event                *string
}

type unusableKey struct {
	delivery
	Key   string
	Value *string
}

func init() { samples["vectors"] = compareVectors }

// compareVectors compares these samples with docs/vectors.json, and names what differs.
func compareVectors(args []string) error {
	var vectors struct {
		Keys          map[string]string
		MD5, RSA      []request
		Notifications []delivery
		UnusableKeys  []unusableKey
	}
	file, err := os.Open(args[0])
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(file)
	decoder.UseNumber()
	if err := decoder.Decode(&vectors); err != nil {
		return err
	}
	keys := vectors.Keys
	var wrong []string
	check := func(name, found, expected string) {
		if found != expected {
			wrong = append(wrong, name)
		}
	}
	for _, one := range vectors.MD5 {
		check(one.Name, md5String(one.Path, one.Body), one.String)
		sign, err := md5Sign(one.Path, one.Body, keys["merchantKey"])
		if err != nil {
			return err
		}
		check(one.Name, sign, one.Sign)
	}
	for _, one := range vectors.RSA {
		text, err := rsaString(one.Body)
		if err != nil {
			return err
		}
		sign, err := rsaSign(one.Body, []byte(keys["merchantPrivateKey"]))
		if err != nil {
			return err
		}
		check(one.Name, text, one.String)
		check(one.Name, sign, one.Sign)
	}
	for _, one := range vectors.Notifications {
		expected := ""
		if one.Event != nil {
			expected = *one.Event
		}
		event, _ := eventOf(one, keys)
		check(one.Name, event, expected)
	}
	for _, one := range vectors.UnusableKeys {
		check(one.Name, fmt.Sprint(isUnusable(one, keys)), "true")
	}
	if len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "\n"))
	}
	fmt.Println(len(vectors.MD5)+len(vectors.RSA)+len(vectors.Notifications)+len(vectors.UnusableKeys), "vectors agree")
	return nil
}

// isUnusable tells whether the program fails because of the key, wherever it uses it.
func isUnusable(one unusableKey, keys map[string]string) bool {
	given := map[string]string{}
	for name, value := range keys {
		given[name] = value
	}
	given[one.Key] = ""
	if one.Value != nil {
		given[one.Key] = *one.Value
	}
	isBadKey := func(err error) bool { return errors.As(err, new(badKey)) }
	if one.Key == "merchantPrivateKey" {
		_, err := rsaSign(map[string]any{}, []byte(given[one.Key]))
		return err != nil
	}
	if one.Key == "platformPublicKey" {
		one.SignedBy = "rsa"
	}
	if _, err := md5Sign("/payment", nil, given["merchantKey"]); one.Key == "merchantKey" && !isBadKey(err) {
		return false
	}
	_, err := eventOf(one.delivery, given)
	return isBadKey(err)
}

// eventOf is empty for a notification that is refused.
func eventOf(one delivery, keys map[string]string) (string, error) {
	webhookSecret := keys["webhookSecret"]
	by := secrets{key: keys["merchantKey"], webhookSecret: &webhookSecret}
	if one.SignedBy == "rsa" {
		by.platformKey = []byte(keys["platformPublicKey"])
	}
	header := http.Header{}
	for name, value := range one.Headers {
		header.Set(name, value)
	}
	event, _, err := verify([]byte(one.Body), header, by, time.Unix(one.At, 0))
	return event, err
}
