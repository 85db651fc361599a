// Links for operators from a merchant's page to other pages about the merchant. Only pages that the operator's role may
// open are listed.
import { Button, Group } from '@mantine/core'
import { Link } from 'wouter'
import { useMyPages } from '../../shell/me.tsx'
import { pathOf } from '../../shell/page.ts'
import { useLanguage } from '../../words/use-words.tsx'

const paths = [
  '/orders',
  '/merchant-refunds',
  '/merchant-payouts',
  '/merchant-statement',
  '/merchant-exports',
  '/merchant-requests',
  '/merchant-notifications',
  '/merchant-keys',
  '/merchant-exam',
  '/merchant-links',
  '/merchant-people',
] as const

export function MerchantLinks({ merNo }: { readonly merNo: number }) {
  const { language } = useLanguage()
  const mine = useMyPages()
  const links = paths.flatMap((path) => {
    const page = mine.find((one) => pathOf(one) === path)
    return page === undefined ? [] : [[path, page.title(language)] as const]
  })
  return (
    <Group gap="xs">
      {links.map(([path, label]) => (
        <Button key={path} component={Link} href={`${path}?merNo=${merNo}`} variant="default" size="xs">
          {label}
        </Button>
      ))}
    </Group>
  )
}
