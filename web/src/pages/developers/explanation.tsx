// The findings of the signature debugger.
import { Alert, List, Stack, Text } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { CodeView } from '../../parts/code-view.tsx'
import { Facts } from '../../parts/facts.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { useDeveloperWords } from './use-developer-words.ts'

type Explained = Reply<'POST /signature/explain'>

const colours = { right: 'teal', wrong: 'red', missing: 'gray' } as const

export function Explanation({ of }: { readonly of: Explained }) {
  const developers = useDeveloperWords()
  const { verdict, mistakes, algorithm, stringToSign, fields, difference } = of
  return (
    <Stack gap="lg" aria-live="polite">
      <Alert color={colours[verdict]} title={developers.verdicts[verdict]}>
        {mistakes.length === 0 ? (
          developers.algorithms[algorithm]
        ) : (
          <>
            <Text fw={600}>{developers.likelyMistake}</Text>
            <List>
              {mistakes.map(({ code, says }) => (
                <List.Item key={code}>{says}</List.Item>
              ))}
            </List>
          </>
        )}
      </Alert>
      {difference !== undefined && (
        <Facts
          of={[
            [developers.difference, developers.differenceAt(difference.at, difference.field)],
            [developers.expected, <Excerpt key="right" text={difference.right} />],
            [developers.yours, <Excerpt key="given" text={difference.given} />],
          ]}
        />
      )}
      <CodeView label={developers.stringToSign} value={stringToSign} />
      <Text size="sm" c="dimmed">
        {developers.algorithms[algorithm]}
      </Text>
      <PlainTable label={developers.signedFields}>
        <tbody>
          {fields.map(({ name, value }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="mono">{value === '' ? developers.empty : value}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </Stack>
  )
}

function Excerpt({ text }: { readonly text: string }) {
  const developers = useDeveloperWords()
  return <span className="mono">{text === '' ? developers.nothingHere : text}</span>
}
