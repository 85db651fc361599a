// The menu that chooses the columns of the order list. The page's address contains the chosen columns.
import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import type { Filters } from '../../parts/use-filters.ts'
import { ordersWords } from '../../words/orders.ts'
import { useWords } from '../../words/use-words.tsx'
import { columnNames, shownColumns } from './order-columns.tsx'

export function ColumnsMenu({ filters }: { readonly filters: Filters<'columns'> }) {
  const orders = useWords(ordersWords)
  const shown = shownColumns(filters.values.columns)
  const choose = (names: readonly string[]) => {
    const ordered = columnNames.filter((name) => names.includes(name))
    filters.set({ columns: ordered.join(',') })
  }
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default">{orders.columns}</Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group label={orders.columns} value={[...shown]} onChange={choose}>
          <Stack gap="xs" mt="xs">
            {columnNames.map((name) => (
              <Checkbox key={name} value={name} label={orders[name]} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  )
}
