// From a merchant's page to its developers' pages and payment links, for operators.
import { Button, Group } from '@mantine/core'
import { Link } from 'wouter'
import { useMay } from '../../shell/me.tsx'
import { useWords } from '../../words/use-words.tsx'

export function MerchantLinks({ merNo }: { readonly merNo: number }) {
  const { developers, links: words } = useWords()
  if (!useMay()('developers.read')) return null
  const links = [
    ['/merchant-requests', developers.requests],
    ['/merchant-notifications', developers.notifications],
    ['/merchant-keys', developers.keys],
    ['/merchant-links', words.title],
  ] as const
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
