import { Button, Group, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { PlainTable } from '../../parts/plain-table.tsx'
import { useMay } from '../../shell/me.tsx'
import { merchantsWords } from '../../words/merchants.ts'
import { useWords } from '../../words/use-words.tsx'
import { TermActions } from '../fee-plans/terms-table.tsx'
import { type EditedRoute, EditRoute } from './edit-route.tsx'
import type { Merchant } from './merchant-facts.tsx'

type Props = { readonly merchant: Merchant; readonly version: string }

export function RoutingRules({ merchant: { merNo, routes }, version }: Props) {
  const merchants = useWords(merchantsWords)
  const may = useMay()
  const [edited, setEdited] = useState<EditedRoute>()
  const edit = may('merchants.edit') ? setEdited : undefined
  return (
    <section>
      <Group gap="sm" mb="xs">
        <Title order={2} size="h4">
          {merchants.routes}
        </Title>
        {edit && (
          <Button size="xs" variant="default" onClick={() => edit({})}>
            {merchants.addRoute}
          </Button>
        )}
      </Group>
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
              {edit && <td />}
            </tr>
          </thead>
          <tbody>
            {routes.map((route) => (
              <tr key={`${route.method} ${route.channel}`}>
                <td>{route.method}</td>
                <td>{route.channel}</td>
                <td className="at-end">{route.priority}</td>
                <td className="at-end">{route.weight}</td>
                {edit && (
                  <td className="at-end">
                    <TermActions edit={() => edit({ route })} remove={() => edit({ route, removes: true })} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
      {edited !== undefined && (
        <EditRoute merNo={merNo} version={version} of={edited} close={() => setEdited(undefined)} />
      )}
    </section>
  )
}
