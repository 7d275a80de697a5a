import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { watchPerson } from "./api/one-person.ts";
import { queryClient } from "./api/call.ts";
import { watchTyping } from "./api/session-end.ts";
import { router } from "./router/router.tsx";

watchPerson();
watchTyping();

export const Dashboard = () => (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>
);
