// Saved views: the person's own views, and those that colleagues share. Each view is an address of the order list.
import { Button, Checkbox, Menu, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useCall, useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useForm } from '../../parts/use-form.ts'
import { ordersWords } from '../../words/orders.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'

const FAILED_TODAY = 'state=6&from=today&to=today'

export function ViewsMenu({ path }: { readonly path: string }) {
  const orders = useWords(ordersWords)
  const [, goTo] = useLocation()
  const search = useSearch()
  const [isSaving, setIsSaving] = useState(false)
  const views = useCall('GET /views', {}).data?.rows ?? []
  const remove = useSend('DELETE /views/:viewId')
  const current = views.find(({ query }) => query === search)
  return (
    <>
      <Menu position="bottom-start" shadow="md">
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="chevron" size={14} />}>
            {current?.name ?? (search === FAILED_TODAY ? orders.failedToday : orders.views)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => goTo(path)}>{orders.allOrders}</Menu.Item>
          <Menu.Item onClick={() => goTo(`${path}?${FAILED_TODAY}`)}>{orders.failedToday}</Menu.Item>
          {views.map(({ viewId, name, query, shared }) => (
            <Menu.Item
              key={viewId}
              onClick={() => goTo(`${path}?${query}`)}
              rightSection={shared ? orders.shared : undefined}
            >
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="plus" size={14} />} onClick={() => setIsSaving(true)}>
            {orders.saveView}
          </Menu.Item>
          {current?.isOwn === true && (
            <Menu.Item
              leftSection={<Icon name="trash" size={14} />}
              onClick={() => void remove({ params: { viewId: current.viewId } })}
            >
              {orders.deleteView}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isSaving && <SaveView query={search} close={() => setIsSaving(false)} />}
    </>
  )
}

function SaveView({ query, close }: { readonly query: string; readonly close: () => void }) {
  const orders = useWords(ordersWords)
  const parts = useWords(partsWords)
  const create = useSend('POST /views')
  const form = useForm({ name: '', shared: false }, async ({ name, shared }) => {
    await create({ body: { name, shared, query, columns: '' } })
    close()
  })
  return (
    <Modal opened onClose={close} title={orders.saveView} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame form={form} action={parts.save} cancel={close}>
        <TextInput label={orders.viewName} maxLength={60} required data-autofocus {...form.field('name')} />
        <Checkbox label={orders.viewShared} {...form.check('shared')} />
      </FormFrame>
    </Modal>
  )
}
