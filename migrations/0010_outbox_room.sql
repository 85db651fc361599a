-- Room on each page for the version that a claim makes of every row on it: only then does a claim touch no index.
alter table notifications set (fillfactor = 45);
