// The changes that an edit of terms would make. The server computed them in a dry run.
import { Stack, Text, Title } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { feePlansWords } from '../../words/fee-plans.ts'
import { merchantsWords } from '../../words/merchants.ts'
import { ordersWords } from '../../words/orders.ts'
import { useWords } from '../../words/use-words.tsx'
import { changedTerms } from './changed-terms.ts'

export type Preview = Reply<'PUT /merchants/:merNo'>

export function Changes({ preview: { changes, fees } }: { readonly preview: Preview }) {
  const merchants = useWords(merchantsWords)
  const feePlans = useWords(feePlansWords)
  const orders = useWords(ordersWords)
  const labels: Readonly<Record<string, string>> = {
    ...merchants.facts,
    ...merchants.fields,
    ...merchants.terms,
    routes: merchants.routes,
  }
  const nameOf = (method: string) => orders.methods[method] ?? method
  const lines = changes.flatMap((change) => {
    const terms = changedTerms(change.before, change.after)
    if (terms === undefined) return [{ ...change, where: '' }]
    return terms.map(({ method, ...one }) => {
      return { ...one, where: `${method === 'all' ? merchants.allMethods : nameOf(method)}, ` }
    })
  })
  /** If a merchant has no named plan, it has terms of its own. */
  const shown = (name: string, value: unknown) =>
    name === 'feePlan' && value === null ? feePlans.own : inWords(value)
  const effects = Map.groupBy(fees, ({ before, after, currency }) => `${before} ${after} ${currency}`)
  return (
    <Stack gap="sm">
      <Title order={2} size="h5">
        {merchants.changes}
      </Title>
      {lines.length === 0 && <Text>{merchants.noChange}</Text>}
      {lines.map(({ where, name, before, after }) => (
        <Text key={where + name} size="sm">
          {`${where}${labels[name] ?? name}: ${shown(name, before)} → ${shown(name, after)}`}
        </Text>
      ))}
      {[...effects].map(([key, same]) => {
        const methods = same.map(({ method }) => nameOf(method)).join(', ')
        const [first] = same
        return (
          first && (
            <Text key={key}>{merchants.feeEffect(methods, first.before, first.after, first.currency)}</Text>
          )
        )
      })}
    </Stack>
  )
}

function inWords(value: unknown): string {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return '–'
  if (Array.isArray(value)) return value.map(inWords).join(', ')
  if (typeof value === 'object' && value !== null) return Object.values(value).map(inWords).join(' ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
