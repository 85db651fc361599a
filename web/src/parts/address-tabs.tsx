// Tabs above a page. Each tab is a link to a related page with its own address.
import { Link, useLocation } from 'wouter'

export type Tab = {
  readonly path: string
  readonly label: string
  /** Search parameters that the address of the tab contains, such as `?merNo=1`. */
  readonly search?: string
  readonly count?: number
}

export function AddressTabs({ tabs, label }: { readonly tabs: readonly Tab[]; readonly label: string }) {
  const [location] = useLocation()
  if (tabs.length < 2) return null
  const isHere = ({ path }: Tab) => location === path || location.startsWith(`${path}/`)
  const here = tabs.filter(isHere).sort((a, b) => b.path.length - a.path.length)[0]
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.path}
          href={tab.path + (tab.search ?? '')}
          {...(tab === here && { 'aria-current': 'page' })}
        >
          {tab.label}
          {tab.count !== undefined && tab.count > 0 && <span className="tab-count">{tab.count}</span>}
        </Link>
      ))}
    </nav>
  )
}
