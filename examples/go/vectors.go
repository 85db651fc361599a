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

// compareVectors compares these samples with docs/vectors.json, and names what differs.
func compareVectors(args []string) error {
	var vectors struct {
		Keys          map[string]string
		MD5, RSA      []request
		Notifications []delivery
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
		check(one.Name, md5Sign(one.Path, one.Body, keys["merchantKey"]), one.Sign)
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
		check(one.Name, eventOf(one, keys), expected)
	}
	if len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "\n"))
	}
	fmt.Println(len(vectors.MD5)+len(vectors.RSA)+len(vectors.Notifications), "vectors agree")
	return nil
}

// eventOf is empty for a notification that is refused.
func eventOf(one delivery, keys map[string]string) string {
	by := secrets{key: keys["merchantKey"], webhookSecret: keys["webhookSecret"]}
	if one.SignedBy == "rsa" {
		by.platformKey = []byte(keys["platformPublicKey"])
	}
	header := http.Header{}
	for name, value := range one.Headers {
		header.Set(name, value)
	}
	event, _, err := verify([]byte(one.Body), header, by, time.Unix(one.At, 0))
	if err != nil {
		return ""
	}
	return event
}
