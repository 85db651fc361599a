package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"
)

var client = http.Client{Timeout: 60 * time.Second}

// call signs and sends a request, and returns the `data` of the answer.
func call(path string, body map[string]any) (map[string]any, error) {
	body["merNo"] = json.Number(os.Getenv("TOLLGATE_MERNO"))
	body["version"] = "V3.0.0"
	sign, err := md5Sign(path, body, os.Getenv("TOLLGATE_KEY"))
	if err != nil {
		return nil, err
	}
	body["sign"] = sign
	sent, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest(http.MethodPost, os.Getenv("TOLLGATE_URL")+path, bytes.NewReader(sent))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	// Payments and payouts need the website that is registered for the merchant.
	request.Header.Set("Referer", "https://"+os.Getenv("TOLLGATE_SITE")+"/")
	response, err := client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("ask for the order by its number before you try again: %w", err)
	}
	defer response.Body.Close()
	var answer struct {
		Code, Message string
		Data          map[string]any
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, err
	}
	if answer.Code != "00000" {
		return nil, fmt.Errorf("%s %s", answer.Code, answer.Message)
	}
	return answer.Data, nil
}

// newNumber makes a merchant's own number, another one for each order.
func newNumber(kind string) string {
	return fmt.Sprintf("%s-%d", kind, time.Now().UnixNano())
}
