// A section of the page of keys, and the settings that its sections show.
import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Reply } from '../../api/send.ts'

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
