package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := flag.String("root", filepath.Join("..", ".."), "folder of the repository")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run -C scripts/site . [-root FOLDER] OUT")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	pages, err := build(*root, flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	out, err := filepath.Abs(flag.Arg(0))
	if err != nil {
		out = flag.Arg(0)
	}
	fmt.Printf("%d pages in %s; open %s\n", pages, out, filepath.Join(out, "index.html"))
}
