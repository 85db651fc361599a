// A section of the page of keys, the settings that its sections show, and the last use of a key.
import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Reply } from '../../api/send.ts'
import { Moment } from '../../parts/moment.tsx'
import { useDeveloperWords } from './use-developer-words.ts'

export type Settings = Reply<'GET /developers'>

type SectionProps = { readonly title: string; readonly hint?: string; readonly children: ReactNode }

export function Section({ title, hint, children }: SectionProps) {
  return (
    <Stack component="section" gap="sm" aria-label={title}>
      <div>
        <Title order={2} size="h4">
          {title}
        </Title>
        {hint !== undefined && <Text c="dimmed">{hint}</Text>}
      </div>
      {children}
    </Stack>
  )
}

/** The last use of a key. The gateway records a use at most once an hour. */
export function KeyUse({ at }: { readonly at: string | null }) {
  const developers = useDeveloperWords()
  if (at === null)
    return (
      <Text c="dimmed" size="sm">
        {developers.notUsed}
      </Text>
    )
  return (
    <Text c="dimmed" size="sm">
      {developers.lastUsed} <Moment at={at} />
    </Text>
  )
}
