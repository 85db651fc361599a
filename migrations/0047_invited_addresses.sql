-- An address signs in to one company, but any company may invite it: a refusal would tell who has an account elsewhere. So it is
-- unique among people who can sign in, and among all people of one company, who see each other anyway.
alter table users drop constraint users_email_unique;
create unique index users_email_unique on users (email) where state = 'active';
alter table users add constraint users_email_in_company unique (mer_no, email);
