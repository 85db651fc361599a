// A part of an overview, with its heading.
import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section style={{ minInlineSize: 0 }}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      {children}
    </section>
  )
}
