// Checks that an order's state is the last state of its history.
import { type Check, inSlice } from '../check.ts'

const slice = inSlice('mer_no', 'trade_no')

export const historyChecks: readonly Check[] = [
  {
    name: 'order-history',
    rule: 'An order has the state and version of the last row of its history; without history it is new',
    text: `
      select o.mer_no, o.trade_no as subject, format('state %s, version %s', o.state, o.version) as found,
        format('state %s, version %s', coalesce(last.to_state, 1), coalesce(last.version, 1)) as expected
      from slice_orders o left join (
        select distinct on (mer_no, trade_no) mer_no, trade_no, to_state, version
        from order_events where ${slice} order by mer_no, trade_no, version desc
      ) last using (mer_no, trade_no)
      where (o.state, o.version) <> (coalesce(last.to_state, 1), coalesce(last.version, 1))`,
  },
  {
    name: 'order-history-chain',
    rule: 'Each row of a history starts in the state in which the previous row ended',
    text: `
      select mer_no, trade_no as subject, 'version ' || version || ' from ' || from_state as found,
        'from ' || before as expected
      from (
        select mer_no, trade_no, version, from_state,
          lag(to_state, 1, 1::smallint) over (partition by mer_no, trade_no order by version) as before
        from order_events where ${slice}
      ) chain
      where from_state <> before`,
  },
]
