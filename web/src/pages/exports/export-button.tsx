// Starts an export that contains exactly what the list shows.
import { Alert, Anchor, Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { InputOf } from '../../api/send.ts'
import { useSend } from '../../api/use-call.ts'
import { Icon } from '../../parts/icon.tsx'
import { useAction } from '../../parts/use-action.ts'
import { isOperator, useMay, useMe } from '../../shell/me.tsx'
import { exportsWords } from '../../words/exports.ts'
import { useWords } from '../../words/use-words.tsx'
import type { ChosenMerchant } from '../developers/chosen-merchant.tsx'

type Wanted = InputOf<'POST /exports'>['body'] & { readonly label: string }

/**
 * Starts an export. Callers give this component a React key that depends on the view. Otherwise the message about an
 * earlier export would stay in a new view.
 */
export function ExportButton({ label, ...wanted }: Wanted) {
  const exports = useWords(exportsWords)
  const { merNo } = wanted.filter
  const path = isOperator(useMe()) ? '/merchant-exports' : '/exports'
  const start = useSend('POST /exports')
  const [isStarted, setIsStarted] = useState(false)
  const { isRunning, problem, run } = useAction()
  const startNow = async () => {
    await start({ body: wanted })
    setIsStarted(true)
  }
  if (isStarted)
    return (
      <Alert color="teal" role="status" p="xs">
        <Anchor component={Link} href={merNo === undefined ? path : `${path}?merNo=${merNo}`}>
          {exports.started}
        </Anchor>
      </Alert>
    )
  return (
    <>
      {problem !== undefined && (
        <Alert color="red" role="alert" p="xs">
          {problem}
        </Alert>
      )}
      <Button
        variant="default"
        leftSection={<Icon name="download" size={16} />}
        loading={isRunning}
        onClick={() => run(startNow)}
      >
        {label}
      </Button>
    </>
  )
}

type OtherList = Exclude<NonNullable<Wanted['list']>, 'orders'>
type ByState = {
  readonly label: string
  readonly list: OtherList
  readonly state: string | undefined
  readonly chosen?: ChosenMerchant
}

/** A button that exports a list which is filtered only by state. Shown only to people who may export. */
export function ExportByState({ label, list, state, chosen = {} }: ByState) {
  const may = useMay()
  if (!may('orders.export')) return null
  const filter = { ...chosen, ...(state !== undefined && { state }) }
  return <ExportButton key={JSON.stringify(filter)} label={label} list={list} filter={filter} columns="" />
}
