// Runs one of the samples in this folder: go run . pay
package main

import (
	"fmt"
	"os"
)

// Each sample adds itself, so that a folder may have only some of them.
var samples = map[string]func(args []string) error{}

func main() {
	if len(os.Args) < 2 || samples[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: go run . SAMPLE [ARGUMENTS]; a sample is a file of this folder, such as pay")
		os.Exit(2)
	}
	if err := samples[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
