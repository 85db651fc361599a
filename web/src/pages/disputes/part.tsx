// A part of a dispute's workspace with its heading.
import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      {children}
    </section>
  )
}
