-- Each channel numbers deposits on its own. An order that was tried at two of them may get two deposits of the same number, so
-- its deposits are known by the attempt, too. Which attempt a channel's deposit belongs to is in deposit_owners.
-- The order of the columns is that of the statements: they read the deposits of an attempt.
alter table deposits
  drop constraint deposits_pkey,
  add constraint deposits_pkey primary key (mer_no, trade_no, attempt_no, deposit_ref);
