// A dense table of a list. The first cell of a row links to its details. Arrow keys or j and k move between the rows.
import { Button, Group, Skeleton, Text } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import type { List } from '../api/use-call.ts'
import { partsWords } from '../words/parts.ts'
import { useWords } from '../words/use-words.tsx'
import { useProblemText } from './problem-text.ts'
import { ErrorState } from './states.tsx'

export type Column<Row> = {
  readonly id: string
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'end'
  /** Columns without a width share the rest. */
  readonly width?: string
  /** Left out on narrow screens. */
  readonly wideOnly?: boolean
  /** Stays in sight while a narrow screen scrolls the table. */
  readonly stays?: boolean
}

type Props<Row> = {
  readonly label: string
  readonly list: List<Row>
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  /** Returns the path of a row's details. The search parameters of the address are kept. */
  readonly open?: (row: Row) => string
  readonly openKey?: string | undefined
  readonly empty: ReactNode
}

const SKELETON_ROWS = 12

export function DataTable<Row>({ label, list, columns, rowKey, open, openKey, empty }: Props<Row>) {
  const { rows, error } = list
  if (rows === undefined && error !== null) return <ErrorState error={error} retry={list.retry} />
  if (rows?.length === 0) return empty
  return (
    <>
      <section
        className="table-frame"
        aria-label={label}
        aria-busy={rows === undefined || list.isStale}
        // The frame may scroll, and without links in its rows the keyboard could not reach it.
        {...(open === undefined && { tabIndex: 0 })}
      >
        <table className="data-table" aria-label={label} onKeyDown={moveByKey}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.id} scope="col" {...cellProps(column)}>
                  {column.head}
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
                    <DataRow key={key} row={row} columns={columns} path={path} isOpen={key === openKey} />
                  )
                })}
          </tbody>
        </table>
      </section>
      {list.hasMore && <MoreButton list={list} />}
    </>
  )
}

/** The button also repeats a failed attempt. */
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
}

function DataRow<Row>({ row, columns, path, isOpen }: RowProps<Row>) {
  const [, goTo] = useLocation()
  const search = useSearch()
  const address = path !== undefined && search !== '' ? `${path}?${search}` : path
  const openRow = () => {
    // Selecting text in a row must not open the row.
    if (address !== undefined && getSelection()?.isCollapsed !== false) goTo(address)
  }
  return (
    <tr data-open={isOpen} data-opens={address !== undefined} onClick={openRow}>
      {columns.map((column, at) => (
        <td key={column.id} {...cellProps(column)}>
          {at === 0 && address !== undefined ? (
            <Link className="row-link" href={address} onClick={(event) => event.stopPropagation()}>
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
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

function moveByKey(event: KeyboardEvent<HTMLTableElement>): void {
  if (moveBetweenRows(event.currentTarget, event.key)) event.preventDefault()
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

/** Moves the focus to another row. Returns false if no row has the focus, or the key is not for moving. */
function moveBetweenRows(table: HTMLElement, key: string): boolean {
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
