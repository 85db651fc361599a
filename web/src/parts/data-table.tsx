// A dense table of a list. The first cell of a row links to the row's details. Arrow keys, j and k move between the
// rows, even if no row has the focus yet.
import { Button, Checkbox, Group, Skeleton, Text } from '@mantine/core'
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import type { List } from '../api/use-call.ts'
import { isTyping } from '../shell/use-shortcuts.ts'
import { partsWords } from '../words/parts.ts'
import { useWords } from '../words/use-words.tsx'
import { useProblemText } from './problem-text.ts'
import { ErrorState } from './states.tsx'

export type Column<Row> = {
  readonly id: string
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'end'
  /** The width of the column. Columns without a width share the remaining space. */
  readonly width?: string
  /** True if the column is left out on narrow screens. */
  readonly wideOnly?: boolean
  /** True if the column stays visible while the table is scrolled on a narrow screen. */
  readonly stays?: boolean
}

/** The rows that the person has chosen, by their keys. */
export type Choice<Row> = {
  readonly keys: ReadonlySet<string>
  choose(keys: ReadonlySet<string>): void
  readonly allLabel: string
  readonly rowLabel: (row: Row) => string
}

type Props<Row> = {
  readonly label: string
  readonly list: List<Row>
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  /** Returns the path of a row's details. The link keeps the search parameters of the page's address. */
  readonly open?: (row: Row) => string
  readonly openKey?: string | undefined
  /** The chosen rows. If set, each row has a checkbox. */
  readonly choice?: Choice<Row>
  readonly empty: ReactNode
}

const SKELETON_ROWS = 12

export function DataTable<Row>(props: Props<Row>) {
  const { label, list, columns, rowKey, open, openKey, choice, empty } = props
  const { rows, error } = list
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table)
  if (rows === undefined && error !== null) return <ErrorState error={error} retry={list.retry} />
  if (rows?.length === 0) return empty
  return (
    <>
      <section
        className="table-frame"
        aria-label={label}
        aria-busy={rows === undefined || list.isStale}
        // Without links in the rows, the keyboard could otherwise not reach the frame and scroll it.
        {...(open === undefined && { tabIndex: 0 })}
      >
        <table className="data-table" aria-label={label} ref={table}>
          <thead>
            <tr>
              {columns.map((column, at) => (
                <th key={column.id} scope="col" {...cellProps(column)}>
                  {at === 0 && choice !== undefined ? (
                    <span className="choose">
                      <ChooseAll choice={choice} keys={rows?.map(rowKey) ?? []} />
                      {column.head}
                    </span>
                  ) : (
                    column.head
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows === undefined
              ? Array.from({ length: SKELETON_ROWS }, (_, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no identity
                  <SkeletonRow key={at} columns={columns} />
                ))
              : rows.map((row) => {
                  const key = rowKey(row)
                  const path = open?.(row)
                  return (
                    <DataRow
                      key={key}
                      row={row}
                      columns={columns}
                      path={path}
                      isOpen={key === openKey}
                      chooser={choice && <ChooseRow choice={choice} row={row} of={key} />}
                    />
                  )
                })}
          </tbody>
        </table>
      </section>
      {list.hasMore && <MoreButton list={list} />}
    </>
  )
}

/** The button that loads more rows. After a failure, it tries again. */
export function MoreButton<Row>({ list }: { readonly list: List<Row> }) {
  const parts = useWords(partsWords)
  const problemText = useProblemText()
  return (
    <Group gap="sm" className="table-more">
      <Button variant="default" loading={list.isLoadingMore} onClick={list.more}>
        {parts.more}
      </Button>
      {list.moreError !== null && (
        <Text role="alert" size="sm" c="var(--error)">
          {problemText(list.moreError)}
        </Text>
      )}
    </Group>
  )
}

type RowProps<Row> = {
  readonly row: Row
  readonly columns: readonly Column<Row>[]
  readonly path: string | undefined
  readonly isOpen: boolean
  readonly chooser: ReactNode
}

function DataRow<Row>({ row, columns, path, isOpen, chooser }: RowProps<Row>) {
  const [, goTo] = useLocation()
  const search = useSearch()
  const address = path !== undefined && search !== '' ? `${path}?${search}` : path
  const openRow = () => {
    // A click that ends a selection of text must not open the row.
    if (address !== undefined && getSelection()?.isCollapsed !== false) goTo(address)
  }
  return (
    <tr data-open={isOpen} data-opens={address !== undefined} onClick={openRow}>
      {columns.map((column, at) => {
        const shown =
          at === 0 && address !== undefined ? (
            <Link className="row-link" href={address} onClick={(event) => event.stopPropagation()}>
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )
        return (
          <td key={column.id} {...cellProps(column)}>
            {at === 0 && chooser !== undefined ? (
              <span className="choose">
                {chooser}
                {shown}
              </span>
            ) : (
              shown
            )}
          </td>
        )
      })}
    </tr>
  )
}

type ChooserProps<Row> = { readonly choice: Choice<Row>; readonly row: Row; readonly of: string }

function ChooseRow<Row>({ choice: { keys, choose, rowLabel }, row, of }: ChooserProps<Row>) {
  const change = (isChosen: boolean) => {
    const others = [...keys].filter((key) => key !== of)
    choose(new Set(isChosen ? [...others, of] : others))
  }
  return (
    <Checkbox
      size="xs"
      aria-label={rowLabel(row)}
      checked={keys.has(of)}
      // A click on the checkbox must not open the row.
      wrapperProps={{ onClick: (event: MouseEvent) => event.stopPropagation() }}
      onChange={({ currentTarget }) => change(currentTarget.checked)}
    />
  )
}

type ChooseAllProps<Row> = { readonly choice: Choice<Row>; readonly keys: readonly string[] }

function ChooseAll<Row>({ choice, keys }: ChooseAllProps<Row>) {
  const chosen = keys.filter((key) => choice.keys.has(key)).length
  return (
    <Checkbox
      size="xs"
      aria-label={choice.allLabel}
      checked={keys.length > 0 && chosen === keys.length}
      indeterminate={chosen > 0 && chosen < keys.length}
      onChange={({ currentTarget }) => choice.choose(new Set(currentTarget.checked ? keys : []))}
    />
  )
}

function SkeletonRow<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return (
    <tr>
      {columns.map((column) => (
        <td key={column.id} {...cellProps(column)}>
          <Skeleton height={12} width="70%" />
        </td>
      ))}
    </tr>
  )
}

function cellProps<Row>({ align, width, wideOnly, stays }: Column<Row>) {
  const classes = [align === 'end' && 'at-end', wideOnly && 'wide-only', stays && 'stays']
    .filter(Boolean)
    .join(' ')
  return {
    ...(classes !== '' && { className: classes }),
    ...(width !== undefined && { style: { width } }),
  }
}

/** Handles the keys that move between rows, unless the focus is in a field, in a dialog or in another table. */
function useRowKeys(table: { readonly current: HTMLTableElement | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      if (table.current === null || isTyping(event.target) || hasOwnArrows(event)) return
      if (moveBetweenRows(table.current, event.key)) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [table])
}

/** True if an arrow key is pressed inside an element that uses arrow keys itself. */
function hasOwnArrows({ target, key }: KeyboardEvent): boolean {
  return key.length > 1 && target instanceof HTMLElement && target.closest(ARROWS) !== null
}

const ARROWS = '[role="tablist"], [role="radiogroup"], [role="slider"], [role="listbox"], [role="combobox"]'

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

/**
 * Moves the focus to another row. Returns false if the key does not move between rows, or if the focus is in another
 * table.
 */
function moveBetweenRows(table: HTMLElement, key: string): boolean {
  const links = [...table.querySelectorAll<HTMLElement>('.row-link')]
  const { activeElement } = document
  const now = links.findIndex((link) => link.closest('tr')?.contains(activeElement))
  if (now < 0 && !mayStart(table)) return false
  const to = target(key, now, links.length)
  if (to === undefined) return false
  links[to]?.focus()
  links[to]?.scrollIntoView({ block: 'nearest' })
  return true
}

/** True if the keys start in this table: no row of any table has the focus, and this is the first table of the page. */
function mayStart(table: HTMLElement): boolean {
  const isElsewhere = document.activeElement?.closest('.data-table tbody tr') ?? null
  return isElsewhere === null && document.querySelector('.row-link')?.closest('.data-table') === table
}

/**
 * Returns the index of the row to go to, if the key moves. If no row has the focus yet, `now` is negative. Home and End
 * then do nothing, and the other keys go to the first row.
 */
function target(key: string, now: number, count: number): number | undefined {
  if (now >= 0 && key === 'Home') return 0
  if (now >= 0 && key === 'End') return count - 1
  const step = steps[key]
  if (step === undefined) return undefined
  return now < 0 ? 0 : Math.max(0, Math.min(count - 1, now + step))
}
