import { NavigationItem } from "./navigation-item.tsx";

/** The pages of the person's own account. */
export function AccountNavigation() {
  return (
    <>
      <NavigationItem to="/usage" icon="gauge">
        Usage and plan
      </NavigationItem>
      <NavigationItem to="/settings/keys" icon="key">
        API keys
      </NavigationItem>
      <NavigationItem to="/settings/account" icon="gear" covers={["/settings/sessions", "/settings/webhooks"]}>
        Settings
      </NavigationItem>
    </>
  );
}
