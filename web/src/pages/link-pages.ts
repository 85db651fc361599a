// The pages of payment links: of a merchant's people, and of operators, who may stop one.
import type { Page } from '../pages.ts'

const list = async () => (await import('./links/links-page.tsx')).LinksPage
const one = async () => (await import('./links/link-page.tsx')).LinkPage

export const linkPages: readonly Page[] = [
  {
    entry: 'links',
    path: '/links',
    title: ({ links }) => links.title,
    needs: 'links.read',
    only: 'merchant',
    load: list,
  },
  {
    entry: 'links',
    path: '/links/:linkId',
    title: ({ links }) => links.link,
    needs: 'links.read',
    only: 'merchant',
    tab: false,
    load: one,
  },
  {
    entry: 'merchants',
    path: '/merchant-links',
    title: ({ links }) => links.title,
    needs: 'links.read',
    only: 'operator',
    tab: false,
    load: list,
  },
  {
    entry: 'merchants',
    path: '/merchant-links/:linkId',
    title: ({ links }) => links.link,
    needs: 'links.read',
    only: 'operator',
    tab: false,
    load: one,
  },
]
