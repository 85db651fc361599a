-- Events of one order go out in turn. Most orders have one, and whoever writes it knows: it need not look for others.
alter table notifications add column first_of_order boolean not null default false;
