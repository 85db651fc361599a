// A slider over the moments of an order: the order and the balances as they were, and what a query would have answered.
import { Alert, Slider, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useCall } from '../../api/use-call.ts'
import { CodeView } from '../../parts/code-view.tsx'
import { Facts } from '../../parts/facts.tsx'
import { formatMoment, Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { Loaded } from '../../parts/states.tsx'
import { TableFrame } from '../../parts/table-frame.tsx'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { OrderState } from './order-state.tsx'

type Props = {
  readonly tradeNo: string
  /** When something happened, oldest first. */
  readonly moments: readonly string[]
}

export function TimeTravel({ tradeNo, moments }: Props) {
  const { orders } = useWords()
  const { locale } = useLanguage()
  const [at, setAt] = useState(moments.length - 1)
  const moment = moments[at] ?? moments.at(-1) ?? new Date().toISOString()
  const past = useCall('GET /orders/:tradeNo/at', { params: { tradeNo }, query: { moment } })
  return (
    <Stack gap="md">
      <Text c="dimmed">{orders.timeTravelHint}</Text>
      <Slider
        min={0}
        max={Math.max(moments.length - 1, 0)}
        step={1}
        value={at}
        onChange={setAt}
        label={null}
        marks={moments.map((_, value) => ({ value }))}
        thumbLabel={orders.moment}
        thumbProps={{ 'aria-valuetext': formatMoment(moment, locale, 'seconds') }}
      />
      <Title order={3} size="h5">
        <Moment at={moment} show="seconds" />
      </Title>
      <Loaded query={past} lines={8}>
        {({ order, balances, answer, uncertain }) => (
          <Stack gap="md">
            {order === undefined ? (
              <Text>{orders.notYet}</Text>
            ) : (
              <Facts
                of={[
                  [orders.state, <OrderState key="state" state={order.state} />],
                  [orders.message, order.message],
                  [orders.settled, order.settled ? orders.yes : orders.no],
                  [orders.refunded, <Money key="refunded" value={order.refunded} />],
                ]}
              />
            )}
            <TableFrame label={orders.timeTravel}>
              <table className="data-table">
                <thead>
                  <tr>
                    <th scope="col">{orders.currency}</th>
                    <th scope="col" className="at-end">
                      {orders.available}
                    </th>
                    <th scope="col" className="at-end">
                      {orders.unsettled}
                    </th>
                    <th scope="col" className="at-end">
                      {orders.margin}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {balances.map(({ currency, available, unsettled, margin }) => (
                    <tr key={currency}>
                      <th scope="row">{currency}</th>
                      {[available, unsettled, margin].map((value, index) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: three columns in a fixed order
                        <td key={index} className="at-end">
                          <Money value={value} />
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </TableFrame>
            {uncertain.length > 0 && (
              <Alert color="yellow" role="status">
                {orders.uncertain(uncertain.join(', '))}
              </Alert>
            )}
            <CodeView label={orders.answer} value={answer} />
          </Stack>
        )}
      </Loaded>
    </Stack>
  )
}
