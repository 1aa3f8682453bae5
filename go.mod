module github.com/detent-run/detent

go 1.26.0
