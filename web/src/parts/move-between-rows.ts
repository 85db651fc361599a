// Moves the focus between the links of a table's rows. True if the key was one for moving.
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

export function moveBetweenRows(table: HTMLElement, key: string): boolean {
  const links = [...table.querySelectorAll<HTMLElement>('.row-link')]
  const now = links.findIndex((link) => link.matches(':focus'))
  if (now < 0) return false
  const to = target(key, now, links.length)
  if (to === undefined) return false
  links[to]?.focus()
  links[to]?.scrollIntoView({ block: 'nearest' })
  return true
}

function target(key: string, now: number, count: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = steps[key]
  return step === undefined ? undefined : Math.max(0, Math.min(count - 1, now + step))
}
