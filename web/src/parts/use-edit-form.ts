// A form with an optimistic lock, for data that several people may edit. The form keeps the version with which it
// began, so that newer data does not change the typed values. The server refuses to overwrite a newer version. After a
// refusal, the person loads the current version. While nothing is typed, the form always shows the current version.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Form, isSame, useForm, type Values } from './use-form.ts'

type Loaded<V extends Values, Version> = { readonly values: V; readonly version: Version }

export type EditForm<V extends Values> = Form<V> & {
  readonly isChanged: boolean
  reload(): void
}

export function useEditForm<V extends Values, Version extends string | number>(
  loaded: Loaded<V, Version>,
  save: (values: V, version: Version) => Promise<Version>,
): EditForm<V> {
  const client = useQueryClient()
  const [begun, setBegun] = useState(loaded)
  const [seen, setSeen] = useState(loaded.version)
  const form = useForm(loaded.values, async (values) => {
    setBegun({ values, version: await save(values, begun.version) })
  })
  const isChanged = !isSame(form.values, begun.values)
  const begin = () => {
    setBegun(loaded)
    form.reset(loaded.values)
  }
  // The server may return a saved value in another notation, such as 50.00 instead of 50.
  const isWrittenAnew = loaded.version === begun.version && !isSame(loaded.values, begun.values)
  if (loaded.version !== seen) setSeen(loaded.version)
  if (!isChanged && (loaded.version !== seen || isWrittenAnew)) begin()
  const reload = () => {
    begin()
    void client.invalidateQueries()
  }
  return { ...form, isChanged, reload }
}
