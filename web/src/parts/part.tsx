// A part of a page or a panel, with its heading.
import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = { readonly title: string; readonly size?: 'h4' | 'h5'; readonly children: ReactNode }

export function Part({ title, size = 'h4', children }: Props) {
  return (
    <section style={{ minInlineSize: 0 }}>
      <Title order={2} size={size} mb="sm">
        {title}
      </Title>
      {children}
    </section>
  )
}
