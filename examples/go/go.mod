module tollgate.example/samples

go 1.19
