// Which channels serve a merchant's methods.
import { Text, Title } from '@mantine/core'
import { PlainTable } from '../../parts/plain-table.tsx'
import { useWords } from '../../words/use-words.tsx'
import type { Merchant } from './merchant-facts.tsx'

export function RoutingRules({ merchant: { routes } }: { readonly merchant: Merchant }) {
  const { merchants } = useWords()
  return (
    <section>
      <Title order={2} size="h4">
        {merchants.routes}
      </Title>
      {routes.length === 0 ? (
        <Text c="dimmed">{merchants.noRoutes}</Text>
      ) : (
        <PlainTable label={merchants.routes}>
          <thead>
            <tr>
              <th scope="col">{merchants.plan.method}</th>
              <th scope="col">{merchants.channel}</th>
              <th scope="col" className="at-end">
                {merchants.priority}
              </th>
              <th scope="col" className="at-end">
                {merchants.weight}
              </th>
            </tr>
          </thead>
          <tbody>
            {routes.map(({ method, channel, priority, weight }) => (
              <tr key={`${method} ${channel}`}>
                <td>{method}</td>
                <td>{channel}</td>
                <td className="at-end">{priority}</td>
                <td className="at-end">{weight}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </section>
  )
}
