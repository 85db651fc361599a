-- Staff accounts: people who sign in, as operators or for one merchant.

create table users (
  -- 0 for operators
  mer_no        bigint not null,
  email         text not null,
  role          text not null,
  -- scrypt, with its parameters and salt
  password_hash text not null,
  created_at    timestamptz not null,
  primary key (mer_no, email),
  constraint users_role_known check (role in ('operator', 'merchant')),
  constraint users_operators_have_no_merchant check ((role = 'operator') = (mer_no = 0))
);

-- The sandbox's demo merchant: a row here says that the first start has been.
create table demo_merchants (
  mer_no  bigint primary key references merchants,
  made_at timestamptz not null
);
