#!/usr/bin/python3
# A WebKitGTK browser for WebKitWebDriver to drive. WebKitGTK's own, MiniBrowser, cannot be made as
# narrow as a phone and, under a driver, browses in private: there WebKit stores no photos in
# IndexedDB. Usage: webkit-phone.py FOLDER WIDTH HEIGHT
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2

folder, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

data = WebKit2.WebsiteDataManager(base_data_directory=folder, base_cache_directory=folder)
context = WebKit2.WebContext.new_with_website_data_manager(data)
context.set_automation_allowed(True)
context.set_preferred_languages(["en-GB"])


def create_view(_session):
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True)
    view.get_settings().set_hardware_acceleration_policy(WebKit2.HardwareAccelerationPolicy.NEVER)
    view.get_settings().set_enable_write_console_messages_to_stdout(True)
    window = Gtk.Window()
    window.set_decorated(False)
    window.set_default_size(width, height)
    window.add(view)
    window.show_all()
    view.connect("close", lambda _view: window.destroy())
    return view


def on_automation_started(_context, session):
    info = WebKit2.ApplicationInfo()
    info.set_name("webkit-phone")
    session.set_application_info(info)
    session.connect("create-web-view", create_view)


context.connect("automation-started", on_automation_started)
Gtk.main()
