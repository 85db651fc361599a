package main

import (
	"bytes"
	"crypto"
	"crypto/hmac"
	"crypto/md5"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"
)

// secrets are what the gateway signs with. Merchants with an RSA key give the gateway's key, from /keys/platform.pem. Nil is a
// secret that is not used.
type secrets struct {
	key           string
	webhookSecret *string
	platformKey   []byte
}

var (
	secretForm    = regexp.MustCompile(`^whsec_[A-Za-z0-9+/]{16,}={0,2}$`)
	publicKeyForm = regexp.MustCompile(`^-----BEGIN PUBLIC KEY-----[\sA-Za-z0-9+/=]{16,}-----END PUBLIC KEY-----\s*$`)
)

// check returns an error if a secret is empty or short: anybody can sign with it.
func (by secrets) check() error {
	if by.webhookSecret != nil {
		if err := checkKey("TOLLGATE_WEBHOOK_SECRET", *by.webhookSecret, secretForm); err != nil {
			return err
		}
	}
	if by.platformKey != nil {
		return checkKey("TOLLGATE_PLATFORM_KEY", string(by.platformKey), publicKeyForm)
	}
	return checkKey("TOLLGATE_KEY", by.key, keyForm)
}

// verify returns the event and its fields, or an error if the gateway did not send them.
func verify(body []byte, header http.Header, by secrets, now time.Time) (string, map[string]any, error) {
	if err := by.check(); err != nil {
		return "", nil, err
	}
	if by.webhookSecret != nil {
		if err := checkHeaders(body, header, *by.webhookSecret, now); err != nil {
			return "", nil, err
		}
	}
	events, fields, err := parse(body)
	if err != nil {
		return "", nil, err
	}
	sign, _ := fields["sign"].(string)
	// The body does not name its event. The signed string does: the event that fits is the one.
	for _, event := range events {
		if isSigned(signedString(event, fields), sign, by) {
			return event, fields, nil
		}
	}
	return "", nil, errors.New("sign does not match")
}

func parse(body []byte) (events []string, fields map[string]any, err error) {
	if bytes.HasPrefix(body, []byte("{")) {
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		err = decoder.Decode(&fields)
		return []string{"refund", "chargeback"}, fields, err
	}
	form, err := url.ParseQuery(string(body))
	fields = map[string]any{}
	for name := range form {
		fields[name] = form.Get(name)
	}
	return []string{"payment", "payout", "review"}, fields, err
}

func signedString(event string, fields map[string]any) string {
	var names []string
	for name, value := range fields {
		if name != "sign" && value != nil && value != "" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for i, name := range names {
		names[i] = fmt.Sprintf("%s=%v", name, fields[name])
	}
	return "event=" + event + "&" + strings.Join(names, "&")
}

func isSigned(text, sign string, by secrets) bool {
	if by.platformKey != nil {
		return isSignedByRSA(text, sign, by.platformKey)
	}
	expected := fmt.Sprintf("%X", md5.Sum([]byte(text+by.key)))
	return hmac.Equal([]byte(expected), []byte(sign))
}

func isSignedByRSA(text, sign string, platformKey []byte) bool {
	block, _ := pem.Decode(platformKey)
	signature, err := base64.StdEncoding.DecodeString(sign)
	if block == nil || err != nil {
		return false
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	key, isRSA := parsed.(*rsa.PublicKey)
	digest := sha256.Sum256([]byte(text))
	return err == nil && isRSA && rsa.VerifyPKCS1v15(key, crypto.SHA256, digest[:], signature) == nil
}

// checkHeaders checks those of Standard Webhooks: a stranger cannot repeat an old request.
func checkHeaders(body []byte, header http.Header, secret string, now time.Time) error {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return err
	}
	timestamp := header.Get("webhook-timestamp")
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", header.Get("webhook-id"), timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	matches := false
	for _, given := range strings.Split(header.Get("webhook-signature"), " ") {
		matches = matches || hmac.Equal([]byte(expected), []byte(given))
	}
	if !matches {
		return errors.New("webhook-signature does not match")
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if age := now.Sub(time.Unix(seconds, 0)).Abs(); err != nil || age > 5*time.Minute {
		return errors.New("webhook-timestamp is not of the last five minutes")
	}
	return nil
}

func init() { samples["verify-notification"] = receiveNotifications }

// receiveNotifications listens on a port, verifies the raw body, then answers SUCCESS.
func receiveNotifications(args []string) error {
	by := secrets{key: os.Getenv("TOLLGATE_KEY")}
	if secret, isSet := os.LookupEnv("TOLLGATE_WEBHOOK_SECRET"); isSet {
		by.webhookSecret = &secret
	}
	if file, isSet := os.LookupEnv("TOLLGATE_PLATFORM_KEY"); isSet {
		platformKey, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		by.platformKey = platformKey
	}
	if err := by.check(); err != nil {
		return err
	}
	receive := func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 65536))
		if err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
			return
		}
		event, fields, err := verify(body, request.Header, by, time.Now())
		if err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
			return
		}
		result := fields["code"]
		if result == nil {
			result = fields["state"]
		}
		// Store the result under its webhook-id before you answer: deliveries may repeat.
		fmt.Println(event, fields["tradeNo"], result)
		fmt.Fprint(response, "SUCCESS")
	}
	return http.ListenAndServe("127.0.0.1:"+args[0], http.HandlerFunc(receive))
}
